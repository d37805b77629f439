import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

const isOpen = signal(false);

export function openHelp(): void {
  isOpen.value = true;
}

const KEYS: [string, string][] = [
  ['F10 · Shift+F10', 'a statement further · back, over calls'],
  ['F11 · Shift+F11', 'a statement further · back, into calls'],
  ['F12 · Shift+F12', 'out of the function: behind · before the call'],
  ['[ · ]', 'previous · next time of this line'],
  ['Shift+X · x', 'previous · next exception'],
  ['c', 'last condition: why control came here'],
  ['l h w o b', 'of the active value: last change, history, why, what should have happened, birth'],
  ['a', 'ask about the active value, or the word at the cursor'],
  ['Shift+W', 'explain the failure: fill the chain'],
  ['m', 'keep this moment in the chain'],
  ['g', 'go to the failure'],
  ['e', 'go to the end of the run'],
  ['1 … 8', 'the tabs below'],
  ['Ctrl+K', 'search'],
  ['Alt+← · Alt+→', 'back · forward'],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen.value]);
  return (
    <dialog ref={dialog} class="help" aria-label="keys" onClose={() => (isOpen.value = false)} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <h2>Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button class="primary" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
