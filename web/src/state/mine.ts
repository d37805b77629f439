// Whether only the project's own code is shown: in calls, timeline, stack and variables.
import { computed, signal } from '@preact/signals';
import { keep, kept } from './kept';
import { sources } from './run';

const wanted = signal(kept('only-mine') === true);

const libraries = computed(() => new Set(sources.value.filter((one) => one.package !== undefined).map((one) => one.file)));

/** What belongs to a package is not the project's: the recorder decided it when it loaded the file. */
export const isLibrary = (file: string | undefined): boolean => file !== undefined && libraries.value.has(file);

/** Where there is no other code, nothing is to be left out. */
export const hasLibraries = computed(() => libraries.value.size > 0);
export const onlyMine = computed(() => wanted.value && hasLibraries.value);

export function toggleMine(): void {
  wanted.value = !wanted.value;
  keep('only-mine', wanted.value);
}
