"""What a machine tells about itself: nothing goes in, the platform of a header comes out.

`machine` asks Python and the system, and leaves out whose machine it is.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        machine: capture_header
        """,
    )
