use sqlx::Row;
use sqlx::any::AnyRow;

use super::{ProjectId, Result, Store, StoreError, Writing};
use crate::bugs::Bug;
use crate::document::BugDocument;
use crate::wire::{BugId, State};

/// Which bugs are listed.
#[derive(Clone, PartialEq, Debug)]
pub struct BugFilter {
    /// Found in the exception, the file, the message, the releases or the id.
    pub search: String,
    pub state: Option<State>,
    /// Behind this bug, which was seen last then.
    pub behind: Option<(i64, BugId)>,
    pub limit: usize,
}

/// A page of bugs.
pub struct Listed {
    pub bugs: Vec<Bug>,
    /// The last of the page, if there are more.
    pub last: Option<(i64, BugId)>,
}

impl Store {
    /// Those seen last first. One that this build cannot read is left out: it must not hide the others.
    pub async fn bugs(&self, project: ProjectId, filter: &BugFilter) -> Result<Listed> {
        let (last_seen, id) = match &filter.behind {
            Some((last_seen, id)) => (*last_seen, id.to_string()),
            None => (i64::MAX, String::new()),
        };
        let rows = sqlx::query(
            "SELECT document, last_seen, id FROM bugs WHERE project = $1 AND (last_seen < $2 OR (last_seen = $2 AND id > $3)) \
             AND searched LIKE $4 ESCAPE '\\' AND ($5 = '' OR state = $5) ORDER BY last_seen DESC, id LIMIT $6",
        )
        .bind(project.0)
        .bind(last_seen)
        .bind(id)
        .bind(pattern(&filter.search))
        .bind(filter.state.map_or("", State::name).to_owned())
        .bind(filter.limit as i64 + 1)
        .fetch_all(&self.pool)
        .await?;
        let shown = &rows[..rows.len().min(filter.limit)];
        let last = match shown.last() {
            Some(last) if rows.len() > filter.limit => Some((last.try_get(1)?, bug_id(last.try_get(2)?)?)),
            _ => None,
        };
        Ok(Listed { bugs: readable(shown)?, last })
    }

    /// How many bugs there are in each state, of all projects.
    pub async fn count_bugs(&self) -> Result<Vec<(String, i64)>> {
        let rows =
            sqlx::query("SELECT state, COUNT(*) FROM bugs GROUP BY state ORDER BY state").fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
    }

    /// Gives whether there was such a bug. Its reports stay until they are old.
    pub async fn remove_bug(&self, project: ProjectId, id: &BugId) -> Result<bool> {
        let mut writing = self.begin().await?;
        writing.lock_project(self.dialect, project).await?;
        let mut n_removed = 0;
        for text in
            ["DELETE FROM meetings WHERE project = $1 AND bug = $2", "DELETE FROM bugs WHERE project = $1 AND id = $2"]
        {
            let done =
                sqlx::query(text).bind(project.0).bind(id.to_string()).execute(&mut *writing.transaction).await?;
            n_removed = done.rows_affected();
        }
        writing.commit().await?;
        Ok(n_removed > 0)
    }

    pub async fn growing_bugs(&self, project: ProjectId) -> Result<Vec<Bug>> {
        let rows = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND state = 'growing' ORDER BY id")
            .bind(project.0)
            .fetch_all(&self.pool)
            .await?;
        readable(&rows)
    }

    pub async fn bug(&self, project: ProjectId, id: &BugId) -> Result<Option<Bug>> {
        let row = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND id = $2")
            .bind(project.0)
            .bind(id.to_string())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(bug).transpose()
    }
}

impl Writing {
    /// The bugs that a crash at this place may be.
    pub async fn bugs_at(&mut self, project: ProjectId, place: &str) -> Result<Vec<Bug>> {
        let rows = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND place = $2 ORDER BY id")
            .bind(project.0)
            .bind(place.to_owned())
            .fetch_all(&mut *self.transaction)
            .await?;
        rows.iter().map(bug).collect()
    }

    pub async fn n_bugs(&mut self, project: ProjectId) -> Result<u64> {
        let row = sqlx::query("SELECT COUNT(*) FROM bugs WHERE project = $1")
            .bind(project.0)
            .fetch_one(&mut *self.transaction)
            .await?;
        Ok(row.try_get::<i64, _>(0)? as u64)
    }

    /// To be called by whoever has locked the project.
    pub async fn bug(&mut self, project: ProjectId, id: &BugId) -> Result<Option<Bug>> {
        let row = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND id = $2")
            .bind(project.0)
            .bind(id.to_string())
            .fetch_optional(&mut *self.transaction)
            .await?;
        row.as_ref().map(bug).transpose()
    }

    pub async fn put_bug(&mut self, project: ProjectId, bug: &Bug) -> Result<()> {
        let document = serde_json::to_string(&BugDocument::from(bug)).expect("a document of ours has no odd keys");
        sqlx::query(
            "INSERT INTO bugs (project, id, place, state, last_seen, document, searched) VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (project, id) DO UPDATE SET state = excluded.state, last_seen = excluded.last_seen, \
             document = excluded.document, searched = excluded.searched",
        )
        .bind(project.0)
        .bind(bug.id.to_string())
        .bind(bug.place.clone())
        .bind(bug.state.name().to_owned())
        .bind(bug.last_seen)
        .bind(document)
        .bind(searched(bug))
        .execute(&mut *self.transaction)
        .await?;
        Ok(())
    }
}

/// What a bug is found by.
fn searched(bug: &Bug) -> String {
    let file = bug.crash_site().map(|site| site.function.file.to_string());
    let releases = bug.releases.iter().map(|release| release.as_str().to_owned());
    let message = bug.message.as_ref().map(|message| message.as_str().to_owned());
    let words: Vec<String> = [bug.id.to_string(), bug.path.exception.clone()]
        .into_iter()
        .chain(file)
        .chain(message)
        .chain(releases)
        .collect();
    words.join("\n").to_lowercase()
}

/// A text as a part of a longer one, for LIKE.
fn pattern(text: &str) -> String {
    let escaped = text.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

fn readable(rows: &[AnyRow]) -> Result<Vec<Bug>> {
    let mut bugs = Vec::with_capacity(rows.len());
    for row in rows {
        match bug(row) {
            Ok(bug) => bugs.push(bug),
            Err(error) if error.is_of_contents() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bugs)
}

fn bug_id(text: String) -> Result<BugId> {
    BugId::try_from(text).map_err(|why| StoreError::Unreadable(format!("the id of a bug: {why}")))
}

fn bug(row: &AnyRow) -> Result<Bug> {
    let document: String = row.try_get(0)?;
    let document: BugDocument =
        serde_json::from_str(&document).map_err(|error| StoreError::Unreadable(format!("a bug: {error}")))?;
    Ok(document.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_searched_stands_for_itself() {
        assert_eq!(pattern("Cart"), "%cart%");
        assert_eq!(pattern(r"100%_\x"), r"%100\%\_\\x%");
    }
}
