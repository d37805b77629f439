// What stands behind the text of a line.
import { WidgetType } from '@codemirror/view';
import type { OmissionJson } from '../../api/types';
import { showOmission } from '../../state/asking';
import type { LineValue } from './facts';

/** The values of the moment. */
export class Ending extends WidgetType {
  constructor(readonly values: LineValue[]) {
    super();
  }
  override eq(other: Ending): boolean {
    return JSON.stringify(other.values) === JSON.stringify(this.values);
  }
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-ending';
    for (const value of this.values) {
      const one = document.createElement('span');
      one.className = `cm-ending-value ${value.changed ? 'past' : ''} ${value.isNow ? 'now' : ''}`;
      one.textContent = `${value.name} = ${value.text}`;
      element.append(one);
    }
    return element;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** A card of the chain that is about this line. */
export class Pin extends WidgetType {
  constructor(readonly number: number) {
    super();
  }
  override eq(other: Pin): boolean {
    return other.number === this.number;
  }
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'pin cm-pin';
    element.textContent = String(this.number);
    element.title = `card ${this.number} of the chain`;
    return element;
  }
}

/** An operation that this branch kept from being performed. */
export class Balloon extends WidgetType {
  constructor(readonly omission: OmissionJson) {
    super();
  }
  override eq(other: Balloon): boolean {
    return JSON.stringify(other.omission) === JSON.stringify(this.omission);
  }
  override toDOM(): HTMLElement {
    const { omission } = this;
    const element = document.createElement('button');
    element.className = `cm-balloon balloon-${omission.certainty}`;
    element.type = 'button';
    element.title = `${omission.text}\n${omission.operation.file}:${omission.operation.line}: ${omission.operation.text.trim()}`;
    element.textContent = `◗ left out: ${omission.filled_in}`;
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      showOmission(omission);
    });
    return element;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}
