import { expect, it } from 'vitest';

function list(items) {
  const ul = document.createElement('ul');
  for (const item of items) ul.append(Object.assign(document.createElement('li'), { textContent: item }));
  return ul;
}

it('makes a list', () => expect(list(['a', 'b']).outerHTML).toBe('<ul><li>a</li><li>b</li></ul>'));
it('clicks', () => {
  const ul = list(['a']);
  const clicked = [];
  ul.addEventListener('click', (event) => clicked.push(event.target.textContent));
  document.body.append(ul);
  ul.firstChild.click();
  expect(clicked).toEqual(['a']);
});
it('fails', () => expect(list(['a']).outerHTML).toBe('<ul></ul>'));
it('throws', () => { document.querySelector('#none').textContent; });
