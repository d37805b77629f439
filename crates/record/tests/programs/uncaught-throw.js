const make = (m) => new Error(m);
setTimeout(function later() {
	throw make('later');
}, 1);
