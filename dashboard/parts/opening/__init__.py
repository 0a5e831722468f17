"""How an uploaded file or log is opened, whatever it is."""
