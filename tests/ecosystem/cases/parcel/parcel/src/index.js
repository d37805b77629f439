import { add } from './add.js'; document.title = add(1, 2);
