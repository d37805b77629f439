import test from 'ava';
const worse = ;
