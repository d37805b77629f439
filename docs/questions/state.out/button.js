const page = {};
let myObject = { myProperty: 1 };
let myCondition = { value: 1 };
var oldValue;
const myButton = { innerHTML: "1", onclick: onClick };
page.myButton = myButton;

function onClick() {
  foo();
  myObject.myProperty++;
  bar();
  updateButton();
}
function updateButton() {
  page.myButton.innerHTML = myObject.myProperty;
}
function foo() {
  myCondition.value = oldValue;
}
function bar() {
  if (!myCondition.value)
    myObject.myProperty = 0;
}

page.myButton.onclick();
console.log(page.myButton.innerHTML);
