export const Part = <T,>({ size, children }: { size: string; children?: T }) => <span title={size}>{children}</span>;
