'use strict';
const { createBus } = require('./src/bus.js');
const { watch } = require('./src/counters.js');
const { Posts } = require('./src/posts.js');
const { render } = require('./src/page.js');

const bus = createBus();
const { numbers, stop } = watch(bus);
const posts = new Posts(bus);
const written = [];
bus.subscribe('post:written', ({ id }) => written.push(id));

const hello = posts.write('ann', 'hello');
const news = posts.write('bob', 'news of today');
posts.like(hello, 'cy');
posts.like(hello, 'cy');
posts.like(news, 'ann');
posts.comment(hello, 'bob', 'welcome');
posts.comment(hello, 'dee', 'nice to see you here at last');
posts.get(news);
console.log(render(posts, numbers, written).join('\n'));
stop();
const shown = numbers[hello];
if (shown.comments !== 2) throw new Error(`two comments were written, and ${shown.comments} are shown`);
