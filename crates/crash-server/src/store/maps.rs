use sqlx::Row;

use super::{ProjectId, Result, Store, StoreError};
use crate::wire::{FileName, Release};

/// What was uploaded for a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    pub kind: ContentKind,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContentKind {
    Map,
    Source,
}

const KINDS: [(ContentKind, &str); 2] = [(ContentKind::Map, "map"), (ContentKind::Source, "source")];

/// Sources shrink to a quarter; more effort gains little.
const LEVEL: i32 = 3;

impl Store {
    pub async fn put_map(
        &self,
        project: ProjectId,
        release: &Release,
        file: &FileName,
        content: &Content,
    ) -> Result<()> {
        let compressed = zstd::encode_all(&content.bytes[..], LEVEL).map_err(StoreError::Compression)?;
        let (_, kind) = KINDS.iter().find(|(kind, _)| *kind == content.kind).expect("every kind has a name");
        let mut writing = self.begin().await?;
        if !writing.hold_project(self.dialect, project).await? {
            return Ok(());
        }
        sqlx::query(
            "INSERT INTO maps (project, release, file, kind, content) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (project, release, file) DO UPDATE SET kind = excluded.kind, content = excluded.content",
        )
        .bind(project.0)
        .bind(release.to_string())
        .bind(file.to_string())
        .bind((*kind).to_owned())
        .bind(compressed)
        .execute(&mut *writing.transaction)
        .await?;
        writing.commit().await
    }

    pub async fn map(&self, project: ProjectId, release: &Release, file: &FileName) -> Result<Option<Content>> {
        let row = sqlx::query("SELECT kind, content FROM maps WHERE project = $1 AND release = $2 AND file = $3")
            .bind(project.0)
            .bind(release.to_string())
            .bind(file.to_string())
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let name: String = row.try_get(0)?;
        let compressed: Vec<u8> = row.try_get(1)?;
        let (kind, _) = KINDS
            .into_iter()
            .find(|(_, known)| *known == name)
            .ok_or_else(|| StoreError::Unreadable(format!("a content of kind {name}")))?;
        let bytes = zstd::decode_all(&compressed[..]).map_err(StoreError::Compression)?;
        Ok(Some(Content { kind, bytes }))
    }
}
