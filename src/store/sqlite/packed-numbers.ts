/** Ascending whole numbers as bytes: the step from each to the next, seven bits a byte, low ones first (LEB128). */

/** `numbers` ascend, from 0. */
export function packNumbers(numbers: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let before = 0;
  for (const number of numbers) {
    let step = number - before;
    before = number;
    while (step >= 128) {
      bytes.push((step % 128) | 128);
      step = Math.floor(step / 128);
    }
    bytes.push(step);
  }
  return Uint8Array.from(bytes);
}

export function unpackNumbers(bytes: Uint8Array): readonly number[] {
  const numbers: number[] = [];
  let number = 0;
  let unit = 1;
  for (const byte of bytes) {
    number += (byte % 128) * unit;
    if (byte >= 128) unit *= 128;
    else {
      numbers.push(number);
      unit = 1;
    }
  }
  return numbers;
}
