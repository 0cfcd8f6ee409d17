"""What a throw is worth: exact odds over three rolls, the value of a position, the coach and the computer players."""
