export function Judge() {
  return <div class="empty">The judge is asked on the command line: wherefore judge</div>;
}
