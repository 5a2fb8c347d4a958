"""What hints mean beyond their words: kernels that several players with conventions share, and readers of them."""
