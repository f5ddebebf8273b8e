"""What a machine tells about itself: nothing goes in, the platform of a header comes out.

`machine` asks Python and the system, and leaves out whose machine it is.
"""
