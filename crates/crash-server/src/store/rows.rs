//! Many rows in one statement.

/// Statements are made for so many rows, largest first; so there are few of them, and each is prepared once.
const SIZES: [usize; 4] = [64, 16, 4, 1];

/// Cuts rows into pieces for which there is a statement.
pub fn pieces<T>(mut rows: &[T]) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    for size in SIZES {
        while rows.len() >= size {
            let (piece, rest) = rows.split_at(size);
            pieces.push(piece);
            rows = rest;
        }
    }
    pieces
}

/// `($1, $2), ($3, $4)`, from a number on.
pub fn placeholders(n_rows: usize, n_columns: usize, first: usize) -> String {
    let row = |number: usize| {
        let columns = (0..n_columns).map(|column| format!("${}", first + number * n_columns + column));
        format!("({})", columns.collect::<Vec<_>>().join(", "))
    };
    (0..n_rows).map(row).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_sizes_for_which_there_are_statements() {
        let rows: Vec<usize> = (0..151).collect();
        let sizes: Vec<usize> = pieces(&rows).iter().map(|piece| piece.len()).collect();
        assert_eq!(sizes, [64, 64, 16, 4, 1, 1, 1]);
        assert_eq!(pieces(&rows).concat(), rows);
    }

    #[test]
    fn placeholders_count_on() {
        assert_eq!(placeholders(2, 2, 1), "($1, $2), ($3, $4)");
        assert_eq!(placeholders(1, 3, 2), "($2, $3, $4)");
    }
}
