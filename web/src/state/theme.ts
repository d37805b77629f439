import { effect, signal } from '@preact/signals';
import { keep, kept } from './kept';

export type Theme = 'dark' | 'light';

const chosen = kept('theme');
const preferred = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';

export const theme = signal<Theme>(chosen === 'dark' || chosen === 'light' ? chosen : preferred);

export function otherTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  keep('theme', theme.value);
}

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
