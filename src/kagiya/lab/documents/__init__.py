"""What people read: tables in documents and pictures, made from results."""
