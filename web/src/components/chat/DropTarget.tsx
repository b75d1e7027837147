/** Files dropped on the chat: asks into which knowledge base, then sends them. */
import { Button, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { late } from "~/components/common/late";
import { api } from "~/api/client";
import { Dialog, DialogButtons } from "~/components/common/Dialog";
import { Notice } from "~/components/common/Notice";
import { Problem } from "~/components/common/Problem";
import { useBases } from "~/hooks/data";
import { useFileDrop } from "~/hooks/drop";
import { queryClient, uploads } from "~/hooks/live";
import { useT } from "~/i18n";
import type { Picked } from "~/state/uploadQueue";
import css from "./DropTarget.module.css";

const UploadList = late(async () => (await import("~/components/knowledge/UploadList")).UploadList);
const fresh = "+";

export function DropTarget({ children }: { children: ReactNode }) {
  const t = useT();
  const bases = useBases();
  const [files, setFiles] = useState<Picked[]>([]);
  const [kb, setKb] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const { over, handlers } = useFileDrop(setFiles);
  const items = bases.data?.items ?? [];
  const chosen = kb ?? items[0]?.id ?? fresh;
  const cancel = () => setFiles([]);
  const add = useMutation({
    mutationFn: async () => items.find((item) => item.id === chosen) ?? api.createKnowledgeBase({ name: t("kb.firstName") }),
    onSuccess: (base) => {
      uploads.add(base.id, files, "replace");
      setAdded(base.name);
      setFiles([]);
      void queryClient.invalidateQueries({ queryKey: ["knowledge-bases"] });
    },
  });
  return (
    <div className={css.target} {...handlers}>
      {over && <div className={css.over}><Upload size={26} aria-hidden="true" /><span>{t("chat.drop")}</span></div>}
      {added && (
        <div className={css.added}>
          <Notice tone="info" live action={<Button size="compact-sm" variant="default" onClick={() => setAdded(null)}>{t("app.close")}</Button>}>{t("chat.added", { name: added })}</Notice>
          <Suspense><UploadList /></Suspense>
        </div>
      )}
      {children}
      <Dialog opened={files.length > 0} onClose={cancel} title={t("chat.dropInto", { files: t("chat.files", { count: files.length }) })}>
        <Select
          label={t("search.base")} value={chosen} onChange={setKb} allowDeselect={false} data-autofocus
          data={[...items.map((item) => ({ value: item.id, label: item.name })), { value: fresh, label: t("chat.newBase") }]}
        />
        {add.isError && <Problem error={add.error} />}
        <DialogButtons onCancel={cancel}><Button loading={add.isPending} onClick={() => add.mutate()}>{t("chat.dropAdd")}</Button></DialogButtons>
      </Dialog>
    </div>
  );
}
