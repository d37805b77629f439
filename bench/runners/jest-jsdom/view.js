function label(store) {
  const left = store.open().length;
  return `${left} left`;
}

function mount(root, store) {
  const list = document.createElement('ul');
  const left = document.createElement('p');
  left.className = 'left';
  root.append(list, left);
  const render = () => {
    list.replaceChildren(...store.items.map((item, index) => {
      const element = document.createElement('li');
      element.textContent = item.title;
      element.addEventListener('click', () => store.toggle(index));
      return element;
    }));
    left.textContent = label(store);
  };
  store.subscribe(render);
  render();
}

module.exports = { mount };
