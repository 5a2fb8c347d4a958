"""The table: the state record, its kernels, batch play, the checked face `Game` and the slow twin."""
