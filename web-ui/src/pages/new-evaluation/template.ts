/** A first Evaluation to change: complete, small, and every key that most people want. */
export const template = `name: HTTP/1.1 v HTTP/2
description: Two users load the same pages at the same time.

# The metric whose difference the headline states: baseMs, viewportMs or totalMs.
primaryMetric: totalMs

urlLists:
  pages:
    # {1..30} stands for each number; the report can plot latency against a variable.
    - url: https://origin.example/images/{5..25..5}
      label: "{1} images"
      variables: { images: "{1}" }

userAgents:
  # host is the name of a connected Agent: see Hosts.
  - { name: Ann, host: my-laptop, engine: chrome, urlList: pages }
  - { name: Ben, host: my-laptop, engine: chrome, urlList: pages }

scenarios:
  - name: HTTP/1.1
    baseline: true
    browser: { flags: [--disable-http2] }
  - name: HTTP/2

pageLoad:
  cache: cold        # or warm
  timeoutMs: 30000

repetition:
  order: random-blocks
  rounds: 5
  warmUp: true
`;
