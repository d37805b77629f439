// Whether only the project's own code is shown: in calls, timeline, stack and variables.
import { computed, signal } from '@preact/signals';
import { keep, kept } from './kept';
import { sources } from './run';

const wanted = signal(kept('only-mine') === true);

/** A file of a package is not the project's. */
export const isLibrary = (file: string | undefined): boolean => file !== undefined && file.includes('node_modules/');

/** Where there is no other code, nothing is to be left out. */
export const hasLibraries = computed(() => sources.value.some((one) => isLibrary(one.file)));
export const onlyMine = computed(() => wanted.value && hasLibraries.value);

export function toggleMine(): void {
  wanted.value = !wanted.value;
  keep('only-mine', wanted.value);
}
