"""What a seat may hold, exactly: every hand that fits the hints and explains what the other seats did."""
