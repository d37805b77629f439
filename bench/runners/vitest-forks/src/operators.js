export const operators = {
  '+': { precedence: 1, rightAssociative: false, apply: (a, b) => a + b },
  '-': { precedence: 1, rightAssociative: true, apply: (a, b) => a - b },
  '*': { precedence: 2, rightAssociative: false, apply: (a, b) => a * b },
  '/': { precedence: 2, rightAssociative: false, apply: (a, b) => a / b },
  '^': { precedence: 3, rightAssociative: true, apply: (a, b) => a ** b },
};
