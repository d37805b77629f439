// Drawing of the timeline. One function of what is to be seen: nothing is kept between two drawings but the colours.
import type { PartOfRunJson } from '../../api/types';
import type { TimeMark } from './axis';
import type { Box } from './icicle';
import type { Range } from './view';

export interface Scene {
  width: number;
  height: number;
  range: Range;
  parts: PartOfRunJson[];
  /** Of the axis in milliseconds. */
  times: TimeMark[];
  boxes: Box[];
  /** Events of cards, with their numbers. */
  pins: { event: number; number: number; isChosen: boolean }[];
  here?: number;
  hover?: number;
}

export const PINS = 20;
export const TICKS = 14;
/** Of the axis in milliseconds, at the lower end. */
const AXIS = 14;
const ROW = 15;

export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const { width, height } = scene;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const ink = canvas.getContext('2d')!;
  ink.setTransform(scale, 0, 0, scale, 0, 0);
  ink.clearRect(0, 0, width, height);
  const colours = coloursOf(canvas);
  const { from, to } = scene.range;
  const x = (event: number): number => ((event - from) / (to - from)) * width;
  activity(ink, scene, x, colours);
  icicle(ink, scene, x, colours);
  axis(ink, scene, x, colours);
  marks(ink, scene, x, colours);
}

/** How many calls there were, and what was thrown or printed. */
function activity(ink: CanvasRenderingContext2D, scene: Scene, x: (event: number) => number, colours: Colours): void {
  const most = Math.max(1, ...scene.parts.map((part) => part.calls / Math.max(1, part.events[1] - part.events[0])));
  for (const part of scene.parts) {
    const [left, right] = [x(part.events[0]), x(part.events[1])];
    if (right < 0 || left > scene.width) continue;
    const share = part.calls / Math.max(1, part.events[1] - part.events[0]) / most;
    ink.fillStyle = colours.activity;
    const height = share * (TICKS - 3);
    ink.fillRect(left, PINS + TICKS - height, Math.max(0.5, right - left), height);
    if (part.prints) tick(ink, left, right, PINS, 4, colours.output);
    if (part.throws > 0) tick(ink, left, right, PINS, 7, colours.thrown);
    if (part.fails) tick(ink, left, right, PINS, TICKS, colours.failed);
  }
}

function tick(ink: CanvasRenderingContext2D, left: number, right: number, top: number, height: number, colour: string): void {
  ink.fillStyle = colour;
  ink.fillRect((left + right) / 2 - 1, top, 2, height);
}

function icicle(ink: CanvasRenderingContext2D, scene: Scene, x: (event: number) => number, colours: Colours): void {
  const top = PINS + TICKS + 2;
  ink.font = '11px ui-monospace, monospace';
  ink.textBaseline = 'middle';
  for (const box of scene.boxes) {
    const y = top + box.depth * ROW;
    if (y + ROW > scene.height - (scene.times.length > 0 ? AXIS : 0)) continue;
    const left = Math.max(-2, x(box.from));
    const right = Math.min(scene.width + 2, x(box.to));
    if (right < 0 || left > scene.width) continue;
    const wide = Math.max(0.6, right - left - 0.6);
    ink.fillStyle = colours.box(box.name);
    ink.fillRect(left, y, wide, ROW - 1);
    if (wide > 26) {
      ink.save();
      ink.beginPath();
      ink.rect(left, y, wide - 2, ROW - 1);
      ink.clip();
      ink.fillStyle = colours.text;
      ink.fillText(box.name, left + 4, y + ROW / 2);
      ink.restore();
    }
  }
}

function axis(ink: CanvasRenderingContext2D, scene: Scene, x: (event: number) => number, colours: Colours): void {
  if (scene.times.length === 0) return;
  const top = scene.height - AXIS;
  ink.fillStyle = colours.hover;
  ink.fillRect(0, top, scene.width, 1);
  ink.font = '10px system-ui, sans-serif';
  ink.textBaseline = 'middle';
  for (const mark of scene.times) {
    const at = x(mark.event);
    ink.fillStyle = colours.hover;
    ink.fillRect(at, top, 1, 4);
    const width = ink.measureText(mark.text).width;
    if (at + width + 4 > scene.width) continue;
    ink.fillStyle = colours.axis;
    ink.fillText(mark.text, at + 4, top + AXIS / 2 + 1);
  }
}

function marks(ink: CanvasRenderingContext2D, scene: Scene, x: (event: number) => number, colours: Colours): void {
  const line = (event: number, colour: string, width: number): void => {
    ink.fillStyle = colour;
    ink.fillRect(x(event) - width / 2, 0, width, scene.height);
  };
  if (scene.hover !== undefined) line(scene.hover, colours.hover, 1);
  for (const pin of scene.pins) {
    const at = x(pin.event);
    if (at < -12 || at > scene.width + 12) continue;
    ink.fillStyle = colours.pinLine;
    ink.fillRect(at - 0.5, PINS - 3, 1, scene.height);
  }
  if (scene.here !== undefined) line(scene.here, colours.here, 2);
  ink.textAlign = 'center';
  ink.font = 'bold 10px system-ui, sans-serif';
  for (const pin of scene.pins) {
    const at = Math.max(9, Math.min(scene.width - 9, x(pin.event)));
    if (x(pin.event) < -12 || x(pin.event) > scene.width + 12) continue;
    ink.beginPath();
    ink.arc(at, 10, pin.isChosen ? 8.5 : 7.5, 0, Math.PI * 2);
    ink.fillStyle = pin.isChosen ? colours.here : colours.pin;
    ink.fill();
    ink.fillStyle = pin.isChosen ? colours.hereText : colours.pinText;
    ink.fillText(String(pin.number), at, 10.5);
  }
  ink.textAlign = 'left';
}

interface Colours {
  activity: string;
  output: string;
  thrown: string;
  failed: string;
  text: string;
  here: string;
  hereText: string;
  hover: string;
  axis: string;
  pin: string;
  pinLine: string;
  pinText: string;
  box(name: string): string;
}

let known: { theme: string | undefined; colours: Colours } | undefined;

function coloursOf(element: Element): Colours {
  const theme = document.documentElement.dataset.theme;
  if (known?.theme === theme) return known!.colours;
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const isDark = theme !== 'light';
  const boxes = new Map<string, string>();
  const colours: Colours = {
    activity: colour('time-activity'),
    output: colour('time-output'),
    thrown: colour('time-thrown'),
    failed: colour('bad'),
    text: colour('time-text'),
    here: colour('here'),
    hereText: colour('panel'),
    hover: colour('line'),
    axis: colour('dim'),
    pin: colour('pin'),
    pinLine: colour('pin-line'),
    pinText: colour('pin-text'),
    box(name) {
      let made = boxes.get(name);
      if (!made) {
        let hash = 7;
        for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
        const hue = [205, 190, 222, 170, 240, 150, 262, 30][hash % 8];
        const shade = (hash >> 4) % 3;
        made = isDark ? `hsl(${hue} 26% ${25 + shade * 4}%)` : `hsl(${hue} 48% ${84 - shade * 4}%)`;
        boxes.set(name, made);
      }
      return made;
    },
  };
  known = { theme, colours };
  return colours;
}
