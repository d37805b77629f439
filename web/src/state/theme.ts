import { effect, signal } from '@preact/signals';

export type Theme = 'dark' | 'light';

const KEPT = 'wherefore-theme';
const preferred = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';

export const theme = signal<Theme>((localStorage.getItem(KEPT) as Theme | null) ?? preferred);

export function otherTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEPT, theme.value);
}

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
