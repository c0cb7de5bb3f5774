import { describe, expect, it } from '@jest/globals';
import { link, links, text } from './attributes/attributes.js';
import { LinkAttribute } from './attributes/link-attribute.js';
import { connectLinks } from './connect-links.js';
import { resource } from './resource.js';

const roads = () =>
  resource({
    name: 'roads',
    uri: '/roads',
    labelColumn: 'label',
    attributes: {
      label: text(),
      start: link('towns'),
      towns: links({
        targets: ['towns', 'roads'],
        table: 'road_ends',
        ownerColumn: 'road_id',
        targetColumns: { towns: 'town_id', roads: 'crossing_id' },
        idColumn: 'end_id',
      }),
    },
  });

const towns = () =>
  resource({
    name: 'towns',
    uri: '/towns',
    labelColumn: 'label',
    attributes: { label: text(), mainRoad: link('roads') },
  });

const targetOf = (attribute: unknown) => (attribute as LinkAttribute).target;

describe('connecting the links of resources', () => {
  it('lets two resources link each other', () => {
    const [road, town] = [roads(), towns()];
    connectLinks([road, town]);
    expect(targetOf(road.attributes.get('start'))).toBe(town);
    expect(targetOf(town.attributes.get('mainRoad'))).toBe(road);
    expect(road.attributes.get('towns')).toMatchObject({ targets: [town, road] });
  });

  it('changes nothing when a second application of the process connects them again', () => {
    const [road, town] = [roads(), towns()];
    connectLinks([road, town]);
    connectLinks([town, road]);
    expect(targetOf(road.attributes.get('start'))).toBe(town);
  });

  it('names the link and the resource that is missing', () => {
    expect(() => connectLinks([roads()])).toThrow(
      new Error('the link roads.start names the resource towns, which is none of roads'),
    );
  });

  it('leaves out those to resources that the caller lacks', () => {
    const road = roads();
    connectLinks([road], ['towns']);
    expect(() => targetOf(road.attributes.get('start'))).toThrow(
      new Error('the links to towns are not connected yet'),
    );
  });

  it('is needed before a link is used', () => {
    expect(() => targetOf(roads().attributes.get('start'))).toThrow(
      new Error('the links to towns are not connected yet'),
    );
  });
});
