import { Counter } from './counter';
async function items() { return [{ name: 'pen', price: 4 }, { name: 'book', price: 30 }]; }
export default async function Page() { return <main><ul>{(await items()).map(({ name, price }) => <li key={name}>{name}: {price}</li>)}</ul><Counter /></main>; }
