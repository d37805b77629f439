import React from 'react';
import { fireEvent, render, screen } from '@testing-library/react';
import { Counter } from './counter';

test('counts', () => {
  render(<Counter start={1} />);
  fireEvent.click(screen.getByRole('button'));
  expect(screen.getByRole('button').textContent).toBe('count is 2');
});
test('counts wrongly', () => {
  render(<Counter step={2} />);
  fireEvent.click(screen.getByRole('button'));
  expect(document.body.innerHTML).toBe('<div><button>count is 1</button></div>');
});
test('finds nothing', () => {
  render(<Counter />);
  screen.getByText('no such text');
});
