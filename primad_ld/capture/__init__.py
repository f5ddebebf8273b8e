"""What a machine tells about itself: nothing goes in, the platform of a header comes out."""
