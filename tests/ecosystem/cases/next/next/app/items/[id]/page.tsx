export function generateStaticParams() { return [{ id: '1' }, { id: '2' }]; }
export default async function Item({ params }: { params: Promise<{ id: string }> }) { return <p>item {(await params).id}</p>; }
