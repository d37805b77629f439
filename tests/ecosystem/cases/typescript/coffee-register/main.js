require('coffeescript/register');
try { require('./shop.coffee'); } catch (error) { console.log(error.stack); }
