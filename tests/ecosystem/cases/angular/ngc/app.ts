import { Component, computed, input, signal } from '@angular/core';

@Component({ selector: 'shop-item', template: '<li [class.dear]="price() > 10">{{ name() }}: {{ price() }}</li>' })
export class Item { name = input.required<string>(); price = input(0); }

@Component({
  selector: 'shop-root', imports: [Item],
  template: '<h1>{{ title }}</h1> @for (i of items(); track i.name) { <shop-item [name]="i.name" [price]="i.price" /> } @empty { none } @if (total() > 30) { <p (click)="clear()">{{ total() }}</p> }',
})
export class App {
  title = 'shop';
  items = signal([{ name: 'pen', price: 4 }, { name: 'book', price: 30 }]);
  total = computed(() => this.items().reduce((sum, { price }) => sum + price, 0));
  clear() { this.items.set([]); }
}
