// @vitest-environment happy-dom
import "../setup";
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { sources } from "../recorded";
import { Prose } from "~/components/markdown/Prose";
import { CitingProvider } from "~/components/markdown/SourcesContext";

function show(text: string, open = vi.fn()) {
  const view = render(
    <MantineProvider withCssVariables={false} withGlobalClasses={false}><CitingProvider value={{ sources, open, settled: true }}><Prose text={text} /></CitingProvider></MantineProvider>,
  );
  return { open, root: view.container };
}

describe("citations", () => {
  it("link only numbers that have a passage", () => {
    const { root } = show("A [1]. B [9]. C [2][2]. D [0]. Code: `arr[1]`");
    expect([...root.querySelectorAll("button")].map((button) => button.textContent)).toEqual(["1", "2", "2"]);
    expect(root.textContent).toContain("arr[1]");
    expect([...root.querySelectorAll("span[title]")].map((span) => span.firstChild?.textContent === "[" && span.textContent?.slice(0, 3))).toEqual(["[9]", "[0]"]);
  });

  it("keep the sign that ends the sentence on their line", () => {
    const { root } = show("One [1, 2]. Two [1], three.");
    expect(root.textContent).toBe("One 12. Two 1, three.");
    expect([...root.querySelectorAll("p > span")].map((span) => span.textContent)).toEqual(["One 1", "2.", "Two 1,"]);
  });

  it("stay on one line with the word before them", () => {
    const { root } = show("By the end of the year [1] [2]. More [2], and **so** [1].");
    expect([...root.querySelectorAll("p > span")].map((span) => span.textContent)).toEqual(["year 1", "2.", "More 2,", "1."]);
  });

  it("open their own source", () => {
    const { open } = show("x [2]");
    fireEvent.click(screen.getByRole("button"));
    expect(open).toHaveBeenCalledWith(sources[1]);
  });

  it("keep their meaning when the text defines a link of that name", () => {
    const { root } = show("See [1].\n\n[1]: https://sink.example/x");
    expect(root.querySelectorAll("a").length).toBe(0);
    expect(root.textContent).toContain("https://sink.example/x");
  });
});

const payloads = [
  "![x](https://sink.example/p.png)", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "[click](javascript:alert(1))", "<https://sink.example>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>", "<form action=https://sink.example><input name=a><button>go</button></form>", "<style>@import url(https://sink.example)</style>",
  "<svg onload=alert(1)><image href=https://sink.example/></svg>", "![r][ref]\n\n[ref]: https://sink.example/r.png", "[a](data:text/html,<script>1</script>)", "<math><a xlink:href=javascript:alert(1)>x</a></math>",
  "https://sink.example/auto",
];

describe("hostile text", () => {
  it.each(payloads)("is inert: %s", (payload) => {
    const { root } = show(`before\n\n${payload}\n\nafter`);
    expect(root.querySelectorAll("a, img, script, iframe, form, style, svg image, object, embed, link, input, [href], [src], [onerror], [onload], [action]").length).toBe(0);
    expect(root.textContent).toContain("after");
  });

  it("shows the full address of a link that it does not follow", () => {
    const { root } = show("[harmless](https://sink.example/?d=1)");
    expect(root.textContent).toContain("harmless (https://sink.example/?d=1)");
  });
});

it("amounts in a column stand below each other, unless the answer says otherwise", () => {
  const { root } = show("| | GBP | Left |\n|---|---|:---|\n| Budget [1] | 1,000 | 1 |\n| Nights | 740 [2] | 20 |");
  expect([...root.querySelectorAll("tr:last-child td")].map((cell) => (cell as HTMLElement).style.textAlign)).toEqual(["", "right", "left"]);
});

it("dates in figures and short codes in tables are not torn apart", () => {
  const { root } = show("Due on 2026-01-05, see HB-2026-01-05-7 [1].\n\n| Invoice | Customer |\n|---|---|\n| HB-2026-1101 [2] | Otley Sign |");
  expect([...root.querySelectorAll("p > span")].map((span) => span.textContent)).toEqual(["2026-01-05", "HB-2026-01-05-7 1."]);
  expect([...root.querySelectorAll("td")].map((cell) => cell.hasAttribute("data-whole"))).toEqual([true, false]);
});

it("right-to-left text stands right", () => {
  const { root } = show("متى ينتهي عقد الإيجار؟");
  expect(root.querySelector("p")?.getAttribute("dir")).toBe("auto");
});

describe("text that is being written", () => {
  it("is drawn in steps when much of it arrives at once, and to its end", async () => {
    const text = Array.from({ length: 9 }, (_, at) => `Part ${at + 1}.`).join("\n\n");
    const view = render(
      <MantineProvider withCssVariables={false} withGlobalClasses={false}><CitingProvider value={{ sources, open: vi.fn(), settled: false }}><Prose text={text} live /></CitingProvider></MantineProvider>,
    );
    expect(view.container.querySelectorAll("p").length).toBeLessThan(9);
    expect(await screen.findByText("Part 9.")).toBeTruthy();
    expect(view.container.querySelectorAll("p")).toHaveLength(9);
  });
});
