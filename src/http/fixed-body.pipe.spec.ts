import { describe, expect, it } from '@jest/globals';
import { IsOptional } from 'class-validator';
import { faultOfText, satisfies } from '../base/validation/class-validation.js';
import { FixedBodyPipe } from './fixed-body.pipe.js';

const isText = satisfies((value) => faultOfText(value, 9));

class GreetingDto {
  @isText
  name!: string;

  @IsOptional()
  @isText
  title: string | null = null;
}

const pipe = new FixedBodyPipe();
const parse = (body: unknown): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype: GreetingDto });
const unknown = 'unknown attribute; known: name, title';

describe('FixedBodyPipe', () => {
  it('makes an instance of the class with defaults for omitted attributes', async () => {
    const greeting = await parse({ name: 'Bruno' });
    expect(greeting).toBeInstanceOf(GreetingDto);
    expect(greeting).toEqual({ name: 'Bruno', title: null });
  });

  it('treats null like an omitted attribute', async () => {
    class GuestDto {
      @IsOptional()
      @isText
      title = 'Guest';
    }
    const guest = await pipe.transform({ title: null }, { type: 'body', metatype: GuestDto });
    expect(guest).toEqual({ title: 'Guest' });
  });

  it('gives nested values to the rules as they came, without a copy', async () => {
    class NestedDto {
      @satisfies(() => undefined)
      items!: unknown;
    }
    const items = [[{}], { deep: [[]] }];
    const instance = await pipe.transform({ items }, { type: 'body', metatype: NestedDto });
    expect((instance as NestedDto).items).toBe(items);
  });

  it.each([
    ['{"name":null}', { name: 'must be a string of at most 9 characters' }],
    [
      '{"title":7}',
      {
        name: 'must be a string of at most 9 characters',
        title: 'must be a string of at most 9 characters',
      },
    ],
    ['{"name":"x","age":1}', { age: unknown }],
    ['{"age":1,"name":1}', { age: unknown, name: 'must be a string of at most 9 characters' }],
    ['{"name":"x","toString":1}', { toString: unknown }],
    ['{"name":"x","constructor":{}}', { constructor: unknown }],
    ['{"name":"x","__proto__":{}}', { ['__proto__']: unknown }],
    ['{"name":"x","prototype":1}', { prototype: unknown }],
    ['[]', { body: 'must be a JSON object' }],
    ['null', { body: 'must be a JSON object' }],
    ['"x"', { body: 'must be a JSON object' }],
  ])('refuses %s naming every bad field', async (text, messages) => {
    const fields = Object.entries(messages).map(([name, message]) => ({
      name,
      reason: { message },
    }));
    await expect(parse(JSON.parse(text))).rejects.toMatchObject({
      status: 400,
      details: { fields },
    });
  });
});
