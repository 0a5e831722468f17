// Sends the reports of a component one at a time: the next when the page has answered the last one,
// or after a while. Only the latest waiting report is sent.
const PATIENCE_MS = 1000;

function reporting(host, name, { data, setStateValue }) {
  const reports = (host.reports ??= { sent: 0, at: 0, waiting: null, timer: 0 });
  // Reports are numbered from what the server has seen, also after a reload.
  reports.sent = Math.max(reports.sent, data.seen);
  const answered = () => data.seen >= reports.sent || performance.now() - reports.at > PATIENCE_MS;
  reports.leave = () => {
    clearTimeout(reports.timer);
    if (reports.waiting === null) return;
    if (!answered()) {
      reports.timer = setTimeout(() => reports.leave(), PATIENCE_MS);
      return;
    }
    const value = { ...reports.waiting, move: ++reports.sent };
    reports.waiting = null;
    reports.at = performance.now();
    setStateValue(name, value);
  };
  reports.leave();
  return (value) => {
    reports.waiting = value;
    reports.leave();
  };
}
