import 'reflect-metadata';
import { Body, Controller, Delete, Get, HttpCode, Injectable, Module, NotFoundException, Param, ParseIntPipe, Post, Query, Redirect, UnprocessableEntityException, type CanActivate, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

interface Item { name: string; price: number }

@Injectable()
class Items {
  private readonly items = new Map<number, Item>([[1, { name: 'pen', price: 4 }]]);
  find(id: number): Item { const item = this.items.get(id); if (!item) throw new NotFoundException(`no item ${id}`); return item; }
  add(item: Item): Item[] { this.items.set(this.items.size + 1, item); return [...this.items.values()]; }
  remove(id: number): void { this.items.delete(id); }
}

@Injectable()
class Guard implements CanActivate { canActivate(): boolean { return true; } }

@Controller()
@UseGuards(Guard)
class App {
  constructor(private readonly items: Items) {}
  @Get() home(): string { return '<h1>shop</h1>'; }
  @Get('items/:id') item(@Param('id', ParseIntPipe) id: number, @Query('full') full?: string) { return { ...this.items.find(id), full }; }
  @Post('items') add(@Body() item: Item) { if (typeof item.name !== 'string') throw new UnprocessableEntityException(); return this.items.add(item); }
  @Delete('items/:id') @HttpCode(204) remove(@Param('id', ParseIntPipe) id: number) { this.items.remove(id); }
  @Get('moved') @Redirect('/', 301) moved() {}
  @Get('throws') throws() { throw new TypeError('thrown'); }
  @Get('rejects') async rejects() { await null; return (undefined as any).here; }
}

@Module({ controllers: [App], providers: [Items, Guard] })
class Root {}

(async () => {
  const app = await NestFactory.create(Root, { logger: ['error', 'warn', 'log'] });
  await app.listen(0);
  console.log(`listening on http://localhost:${app.getHttpServer().address().port}`);
  process.on('SIGTERM', () => app.close().then(() => console.log('closed')));
})();
