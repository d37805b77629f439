/** What an answer leaves out, or rests on. */
export function Notes({ of }: { of: string[] }) {
  return (
    <>
      {of.map((note) => (
        <span class="note" key={note} title={note}>
          {note}
        </span>
      ))}
    </>
  );
}
