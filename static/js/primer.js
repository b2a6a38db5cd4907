// Who opens a table for the first time is told how it works. The server puts it into that one page (rolls/views/table.py).
document.getElementById("primer").showPopover();
