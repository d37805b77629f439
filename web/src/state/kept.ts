// What the browser keeps of the page: sizes, the theme. Where it keeps nothing (a panel of an editor may not), everything works without.

export function kept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`wherefore-${name}`) ?? 'null');
  } catch {
    return null;
  }
}

export function keep(name: string, what: unknown): void {
  try {
    localStorage.setItem(`wherefore-${name}`, JSON.stringify(what));
  } catch {
    // It is as it was when the page is opened next.
  }
}
