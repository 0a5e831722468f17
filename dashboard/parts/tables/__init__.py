"""Tables that people read or edit on several pages."""
