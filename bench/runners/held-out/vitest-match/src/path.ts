export function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}
