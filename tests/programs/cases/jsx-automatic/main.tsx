// expected
import { Part } from './part.js';
enum Size { Small = 'small' }
const list: number[] = [1, 2];
const rest = { key: 'from rest', z: 1 };
const tree = <>
  <Part<number> key={list[0]! + 1} size={Size.Small}>one {list as any}</Part>
  <i key="k"/><b {...rest} key={1}/><u key={
    2
  }>x</u>
  {list.map((n) => <li key={n}>{n}</li>)}
</>;
console.log(JSON.stringify(tree, null, 1), <T,>(x: T) => x);
