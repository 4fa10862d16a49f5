import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram } from '#cli/create-program.ts';
import { defaultPort } from '#cli/commands/option-parsers.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8');

interface Container {
  image: string;
  args: string[];
  env: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts: { name: string }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  stringData?: Record<string, string>;
  spec: {
    /** Of a Service, the labels themselves. */
    selector?: { matchLabels?: Record<string, string> };
    podSelector?: { matchLabels: Record<string, string> };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
      };
    };
  };
}
interface Service {
  build?: { dockerfile: string; target: string };
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  networks: string[];
  ports?: string[];
}

/** Whether the command line is one that HTTP-AE has, options and all. */
function expectCommand([name, ...args]: string[]): void {
  const command = createProgram().commands.find((each) => each.name() === name)!;
  const { operands, unknown } = command.parseOptions(args);
  expect({ name, operands, unknown }).toEqual({ name, operands: [], unknown: [] });
}

const stages = [...read('Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage!);

test('the Dockerfile makes the images that Compose and Kubernetes name, with commands that there are', () => {
  const text = read('Dockerfile');
  expect(stages).toEqual(['build', 'base', 'controller', 'agent']);
  for (const [, script] of text.matchAll(/--run (build:\S+)/g))
    expect(readFileSync(path.join(root, 'package.json'), 'utf8')).toContain(`"${script}"`);
  for (const [, command] of text.matchAll(/^CMD (\[.*\])$/gm)) {
    const [name, ...args] = JSON.parse(command!) as string[];
    if (!args.includes('--help')) expectCommand([name!, ...args]);
  }
  expect(text).toContain(`EXPOSE ${defaultPort}`);
});

test('the services of Compose fit the Dockerfile, the command line and each other', () => {
  const { services } = parse(read('compose.yaml')) as { services: Record<string, Service> };
  const { database, controller, agent } = services as Record<'database' | 'controller' | 'agent', Service>;
  for (const { build, command } of [controller, agent]) {
    expect(stages).toContain(build!.target);
    expect(existsSync(path.join(root, build!.dockerfile))).toBe(true);
    // A variable has its default.
    expectCommand(command!.map((each) => each.replace(/^\$\{\w+:-(.*)\}$/, '$1')));
  }
  const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment as Record<
    'POSTGRES_USER' | 'POSTGRES_DB',
    string
  >;
  expect(controller.environment!.DATABASE_URL).toBe(
    `postgres://${user}:\${HTTP_AE_DATABASE_PASSWORD}@database/${name}`,
  );
  expect(agent.environment!.HTTP_AE_CONTROLLER).toBe(`http://controller:${defaultPort}`);
  expect(controller.ports).toEqual([`127.0.0.1:${defaultPort}:${defaultPort}`]);
  expect(agent.networks).not.toContain('database');
});

describe('the manifests of Kubernetes', () => {
  const { resources, images } = parse(read('kubernetes/kustomization.yaml')) as {
    resources: string[];
    images: { name: string; newTag: string }[];
  };
  const manifests = resources.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map(
      (document) => Object.assign({ spec: {} }, document.toJS() as object) as Manifest,
    ),
  );
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);
  const workloads = [...ofKind('Deployment'), ...ofKind('StatefulSet')];

  test('select pods that there are', () => {
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector as unknown as Record<string, string>];
      return [spec.selector?.matchLabels, spec.podSelector?.matchLabels].filter((labels) => labels !== undefined);
    });
    expect(selectors).toHaveLength(8);
    for (const labels of selectors)
      expect(
        workloads.filter(({ spec }) =>
          Object.entries(labels).every(([key, value]) => spec.template!.metadata.labels[key] === value),
        ),
      ).toHaveLength(1);
  });

  test('start commands that there are, from images of the Dockerfile, with secrets and volumes that there are', () => {
    const [secret] = ofKind('Secret');
    const claims = ofKind('PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    for (const { spec } of workloads) {
      const { containers, volumes } = spec.template!.spec;
      for (const { image, args, env, volumeMounts } of containers) {
        expect(stages.map((stage) => `http-ae-${stage}`)).toContain(image);
        expect(images.map(({ name }) => name)).toContain(image);
        expectCommand(args.map((arg) => arg.replace('$(POD_NAME)', 'agent-0')));
        for (const { valueFrom } of env)
          if (valueFrom?.secretKeyRef) {
            expect(valueFrom.secretKeyRef.name).toBe(secret!.metadata.name);
            expect(Object.keys(secret!.stringData!)).toContain(valueFrom.secretKeyRef.key);
          }
        const mountable = [...volumes, ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata)];
        expect(mountable.map(({ name }) => name).sort()).toEqual(volumeMounts.map(({ name }) => name).sort());
      }
      for (const { persistentVolumeClaim } of volumes)
        if (persistentVolumeClaim) expect(claims).toContain(persistentVolumeClaim.claimName);
    }
  });

  test('have the version and the port of this HTTP-AE', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    expect(images.map(({ newTag }) => newTag)).toEqual([version, version]);
    const ports = workloads.flatMap(({ spec }) => spec.template!.spec.containers.flatMap(({ ports = [] }) => ports));
    expect(ports).toEqual([{ name: 'http', containerPort: defaultPort }]);
  });
});
