import { hasLibraries, onlyMine, toggleMine } from '../state/mine';

/** Nothing where the run has only the project's own code. */
export function OnlyMine() {
  if (!hasLibraries.value) return null;
  return (
    <button class="quiet toggle" aria-pressed={onlyMine.value} title="leave code of packages out of calls, timeline, stack and variables" onClick={toggleMine}>
      only my code
    </button>
  );
}
