import 'zone.js/node';
import '@angular/compiler';
import { Component, provideZonelessChangeDetection, signal, computed } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';

class App { items = signal(['pen', 'book']); count = computed(() => this.items().length); }
const Root = Component({ selector: 'app-root', template: '<h1>{{ count() }}</h1>@for (i of items(); track i) {<li>{{ i }}</li>}' })(App) ?? App;
const bootstrap = (context) => bootstrapApplication(Root, { providers: [provideServerRendering(), provideZonelessChangeDetection()] }, context);
console.log(await renderApplication(bootstrap, { document: '<app-root></app-root>', url: '/' }));
