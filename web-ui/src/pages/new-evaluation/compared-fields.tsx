import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { linkPresetNames, type LinkPreset } from '#core/evaluation/network/link-profile-presets.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { TestbedSwitch } from '../../components/testbed-switch.tsx';
import { testbedCommand, type ComparisonKind } from './comparisons.ts';
import classes from './questions.module.css';

type Links = readonly [baseline: LinkPreset, other: LinkPreset];

interface ComparedFieldsProps {
  kind: ComparisonKind;
  testbed: string | null;
  /** Whether its link and both ends of HTTPEP are connected. */
  isTestbedWhole: boolean;
  proxy: string;
  onProxy: (proxy: string) => void;
  proxyError: string | undefined;
  links: Links;
  onLinks: (links: Links) => void;
  linksError: string | undefined;
}

/** What else a comparison needs to know, and what starts the testbed that some of them need. */
export function ComparedFields({ kind, testbed, isTestbedWhole, ...props }: ComparedFieldsProps) {
  const { proxy, onProxy, proxyError, links, onLinks, linksError } = props;
  const link = (label: string, place: 0 | 1, error?: string) => (
    <Select
      label={label}
      data={linkPresetNames}
      value={links[place]}
      onChange={(chosen) => chosen && onLinks(place === 0 ? [chosen, links[1]] : [links[0], chosen])}
      allowDeselect={false}
      error={error}
    />
  );
  return (
    <>
      {!isTestbedWhole && (
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            Links and HTTPEP need a testbed.
          </Text>
          <TestbedSwitch
            renderUnavailable={(reason) => (
              <>
                <Text size="sm" c="dimmed">
                  {reason}. Type on a Linux machine, as root or where user namespaces are allowed:
                </Text>
                <CopyableCode code={testbedCommand} />
              </>
            )}
          />
        </Stack>
      )}
      {kind === 'proxy' && (
        <TextInput
          label="Address of the proxy"
          placeholder="http://host:port"
          value={proxy}
          onChange={({ currentTarget }) => onProxy(currentTarget.value)}
          error={proxyError}
          classNames={{ input: classes.code }}
          maw={404}
        />
      )}
      {kind === 'httpep' && testbed !== null && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          {link('Link', 1)}
        </SimpleGrid>
      )}
      {kind === 'links' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          {link('Baseline', 0)}
          {link('Compared with', 1, linksError)}
        </SimpleGrid>
      )}
    </>
  );
}
