// Scrolls a table to the row that was picked elsewhere on the page.
// Internals: streamlit/streamlit#6864.
export default function ({ data, parentElement }) {
  if (parentElement.row === data.row) return;
  parentElement.row = data.row;
  const scroll = (tries) => {
    if (parentElement.row !== data.row) return; // another was picked meanwhile
    const table = document.querySelector(`${data.table} .dvn-scroller`);
    if (!table || table.scrollHeight <= table.clientHeight) {
      if (tries > 0) setTimeout(() => scroll(tries - 1), 200);
      return;
    }
    const top = data.row * data.height;
    const room = table.clientHeight - 2 * data.height;
    if (top < table.scrollTop || top > table.scrollTop + room) table.scrollTop = top - room / 2;
  };
  // On a busy computer, a table takes seconds to be there.
  if (data.row !== null) scroll(100);
}
