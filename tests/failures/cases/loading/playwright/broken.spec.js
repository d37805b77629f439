const broken = 1;
const worse = ;
